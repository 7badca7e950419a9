"""What a scale declares, in words: protocols that several exhibits share, and single exhibits."""
