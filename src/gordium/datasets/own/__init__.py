"""Data of the user's: arrays, archives, folders of pictures."""
