"""Commands of `manage.py` that concern the games."""
