from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.person import Person
from ...models.pins import Pins
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    person: Person,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/pins/{person}".format(
            person=quote(str(person), safe=""),
        ),
    }

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
) -> Response[Pins | Problem]:
    """Remove the PIN of a role

     Whoever signed in with it is signed out. Without any PIN, nobody is asked at a page on the machine
    itself. From a program of the machine this needs no token: for a PIN that was lost.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Pins | Problem]
    """

    kwargs = _get_kwargs(
        person=person,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
) -> Pins | Problem | None:
    """Remove the PIN of a role

     Whoever signed in with it is signed out. Without any PIN, nobody is asked at a page on the machine
    itself. From a program of the machine this needs no token: for a PIN that was lost.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Pins | Problem
    """

    return sync_detailed(
        person=person,
        client=client,
    ).parsed


async def asyncio_detailed(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Pins | Problem]:
    """Remove the PIN of a role

     Whoever signed in with it is signed out. Without any PIN, nobody is asked at a page on the machine
    itself. From a program of the machine this needs no token: for a PIN that was lost.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Pins | Problem]
    """

    kwargs = _get_kwargs(
        person=person,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    person: Person,
    *,
    client: AuthenticatedClient | Client,
) -> Pins | Problem | None:
    """Remove the PIN of a role

     Whoever signed in with it is signed out. Without any PIN, nobody is asked at a page on the machine
    itself. From a program of the machine this needs no token: for a PIN that was lost.

    Args:
        person (Person): cashier: what is done at the lane all day, as with the token of a till;
            supervisor: the same, and answers for refunds above the limits; technician: everything

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
        )
    ).parsed
