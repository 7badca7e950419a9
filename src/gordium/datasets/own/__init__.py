"""The user's own data: arrays, archives, folders of pictures."""
