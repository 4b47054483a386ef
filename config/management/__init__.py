"""Commands of `manage.py` that concern the service as a whole."""
