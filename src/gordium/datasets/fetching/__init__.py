"""Official files fetched from their addresses into the cache folder."""
