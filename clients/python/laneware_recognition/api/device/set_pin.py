from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.person import Person
from ...models.pins import Pins
from ...models.problem import Problem
from ...models.wanted_pin import WantedPin
from ...types import Response


def _get_kwargs(
    person: Person,
    *,
    body: WantedPin,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "put",
        "url": "/v1/pins/{person}".format(
            person=quote(str(person), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Pins | Problem | None:
    if response.status_code == 200:
        response_200 = Pins.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = Problem.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

    if response.status_code == 408:
        response_408 = Problem.from_dict(response.json())

        return response_408

    if response.status_code == 409:
        response_409 = Problem.from_dict(response.json())

        return response_409

    if response.status_code == 413:
        response_413 = Problem.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Problem.from_dict(response.json())

        return response_415

    if response.status_code == 422:
        response_422 = Problem.from_dict(response.json())

        return response_422

    if response.status_code == 426:
        response_426 = Problem.from_dict(response.json())

        return response_426

    if response.status_code == 429:
        response_429 = Problem.from_dict(response.json())

        return response_429

    if response.status_code == 431:
        response_431 = Problem.from_dict(response.json())

        return response_431

    if response.status_code == 500:
        response_500 = Problem.from_dict(response.json())

        return response_500

    if response.status_code == 503:
        response_503 = Problem.from_dict(response.json())

        return response_503

    if response.status_code == 507:
        response_507 = Problem.from_dict(response.json())

        return response_507

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Pins | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
    body: WantedPin,
) -> Response[Pins | Problem]:
    """Set the PIN of a role, or another one in its place

     From then on pages ask who sits there, also on the machine itself; its programs go on without.
    Whoever signed in with the one before is signed out.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything
        body (WantedPin):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Pins | Problem]
    """

    kwargs = _get_kwargs(
        person=person,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
    body: WantedPin,
) -> Pins | Problem | None:
    """Set the PIN of a role, or another one in its place

     From then on pages ask who sits there, also on the machine itself; its programs go on without.
    Whoever signed in with the one before is signed out.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything
        body (WantedPin):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Pins | Problem
    """

    return sync_detailed(
        person=person,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
    body: WantedPin,
) -> Response[Pins | Problem]:
    """Set the PIN of a role, or another one in its place

     From then on pages ask who sits there, also on the machine itself; its programs go on without.
    Whoever signed in with the one before is signed out.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything
        body (WantedPin):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Pins | Problem]
    """

    kwargs = _get_kwargs(
        person=person,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
    body: WantedPin,
) -> Pins | Problem | None:
    """Set the PIN of a role, or another one in its place

     From then on pages ask who sits there, also on the machine itself; its programs go on without.
    Whoever signed in with the one before is signed out.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything
        body (WantedPin):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Pins | Problem
    """

    return (
        await asyncio_detailed(
            person=person,
            client=client,
            body=body,
        )
    ).parsed
