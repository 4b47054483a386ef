"""The admin's door, against who tries passwords."""

from __future__ import annotations

import math

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from config.problems import PROBLEMS
from contract.addresses import client_network
from contract.rate_limits import RateLimited, guesses_counted


class _WrongPassword(Exception):
    """The door stays shut."""


def admin_login(request: HttpRequest) -> HttpResponse:
    """`/admin/login/`: Django's own, and 429 for an address with too many wrong tries."""
    if request.method != "POST":
        return admin.site.login(request)
    try:
        with guesses_counted(_WrongPassword, admin_login=client_network(request)):
            response = admin.site.login(request)
            if response.status_code == 200:  # the form again
                raise _WrongPassword
    except _WrongPassword:
        return response
    except RateLimited as refusal:
        return HttpResponse(
            PROBLEMS[refusal.code].detail,
            status=429,
            content_type="text/plain; charset=utf-8",
            headers={"Retry-After": str(math.ceil(refusal.wait))},
        )
    return response
