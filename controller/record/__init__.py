"""The journal, and the formats that games leave and enter by."""
