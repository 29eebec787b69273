"""The journal, and the formats that games leave and enter by. Knows events and rules; no page, camera or lamp."""
