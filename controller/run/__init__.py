"""Builds the program out of settings, keeps it going and takes it down: threads, page, service, broker.

The only place that starts things.
"""
