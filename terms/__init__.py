"""Words that the program and its page both speak, each said once. Uses nothing but the standard library, and nothing of the other
packages."""
