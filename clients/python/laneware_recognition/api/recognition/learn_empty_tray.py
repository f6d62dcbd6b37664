from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.empty_tray import EmptyTray
from ...models.learn_empty_tray_things import LearnEmptyTrayThings
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    things: LearnEmptyTrayThings | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_things: str | Unset = UNSET
    if not isinstance(things, Unset):
        json_things = things.value

    params["things"] = json_things

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "put",
        "url": "/v1/camera/empty-tray",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> EmptyTray | Problem | None:
    if response.status_code == 200:
        response_200 = EmptyTray.from_dict(response.json())

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
) -> Response[EmptyTray | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    things: LearnEmptyTrayThings | Unset = UNSET,
) -> Response[EmptyTray | Problem]:
    """Learn what the empty tray looks like

     From what the camera sees now: take everything off the tray first.

    Args:
        things (LearnEmptyTrayThings | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EmptyTray | Problem]
    """

    kwargs = _get_kwargs(
        things=things,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    things: LearnEmptyTrayThings | Unset = UNSET,
) -> EmptyTray | Problem | None:
    """Learn what the empty tray looks like

     From what the camera sees now: take everything off the tray first.

    Args:
        things (LearnEmptyTrayThings | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EmptyTray | Problem
    """

    return sync_detailed(
        client=client,
        things=things,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    things: LearnEmptyTrayThings | Unset = UNSET,
) -> Response[EmptyTray | Problem]:
    """Learn what the empty tray looks like

     From what the camera sees now: take everything off the tray first.

    Args:
        things (LearnEmptyTrayThings | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EmptyTray | Problem]
    """

    kwargs = _get_kwargs(
        things=things,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    things: LearnEmptyTrayThings | Unset = UNSET,
) -> EmptyTray | Problem | None:
    """Learn what the empty tray looks like

     From what the camera sees now: take everything off the tray first.

    Args:
        things (LearnEmptyTrayThings | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EmptyTray | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            things=things,
        )
    ).parsed
