"""Which client an address stands for, behind as many proxies as the settings say."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

IPV6_NETWORK_BITS = 64


def client_network(request: HttpRequest | Request) -> str:
    """The IPv4 address, or the /64 of the IPv6 address, that the request came from.

    One household or phone has a whole /64, and could take a new address in it for each call. With
    `TRUSTED_PROXIES` the address is the one that the outermost of them saw: that many places from
    the right in `X-Forwarded-For`. What stands further to the left is the client's own word.
    """
    return _network_of(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type]


def _network_of(told: str) -> str:
    text = told
    if text.startswith("["):  # some proxies add the port: [2001:db8::1]:4711, 192.0.2.1:4711
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return told
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, IPV6_NETWORK_BITS), strict=False))
