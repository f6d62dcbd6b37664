from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.recognition import Recognition
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    wait: str | Unset = UNSET,
    after: str | Unset = UNSET,
    weight: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["wait"] = wait

    params["after"] = after

    params["weight"] = weight

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/recognition",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | Recognition | None:
    if response.status_code == 200:
        response_200 = Recognition.from_dict(response.json())

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
) -> Response[Problem | Recognition]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    after: str | Unset = UNSET,
    weight: str | Unset = UNSET,
) -> Response[Problem | Recognition]:
    """What lies on the tray

     Looks at once. With `wait` it is answered when the tray has another state than that of the number
    `after`, at the latest when so many seconds are over: then ask again. Take the first candidate where
    it is `certain`, else offer the list, and say which it was by its feedback. Where a scale is
    attached, tell the `weight` of what lies there: an item that is sold by the piece (`pieceWeight` of
    the item) is then not certain where that is not the weight of a few pieces.

    Args:
        wait (str | Unset):
        after (str | Unset):
        weight (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Recognition]
    """

    kwargs = _get_kwargs(
        wait=wait,
        after=after,
        weight=weight,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    after: str | Unset = UNSET,
    weight: str | Unset = UNSET,
) -> Problem | Recognition | None:
    """What lies on the tray

     Looks at once. With `wait` it is answered when the tray has another state than that of the number
    `after`, at the latest when so many seconds are over: then ask again. Take the first candidate where
    it is `certain`, else offer the list, and say which it was by its feedback. Where a scale is
    attached, tell the `weight` of what lies there: an item that is sold by the piece (`pieceWeight` of
    the item) is then not certain where that is not the weight of a few pieces.

    Args:
        wait (str | Unset):
        after (str | Unset):
        weight (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Recognition
    """

    return sync_detailed(
        client=client,
        wait=wait,
        after=after,
        weight=weight,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    after: str | Unset = UNSET,
    weight: str | Unset = UNSET,
) -> Response[Problem | Recognition]:
    """What lies on the tray

     Looks at once. With `wait` it is answered when the tray has another state than that of the number
    `after`, at the latest when so many seconds are over: then ask again. Take the first candidate where
    it is `certain`, else offer the list, and say which it was by its feedback. Where a scale is
    attached, tell the `weight` of what lies there: an item that is sold by the piece (`pieceWeight` of
    the item) is then not certain where that is not the weight of a few pieces.

    Args:
        wait (str | Unset):
        after (str | Unset):
        weight (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Recognition]
    """

    kwargs = _get_kwargs(
        wait=wait,
        after=after,
        weight=weight,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    after: str | Unset = UNSET,
    weight: str | Unset = UNSET,
) -> Problem | Recognition | None:
    """What lies on the tray

     Looks at once. With `wait` it is answered when the tray has another state than that of the number
    `after`, at the latest when so many seconds are over: then ask again. Take the first candidate where
    it is `certain`, else offer the list, and say which it was by its feedback. Where a scale is
    attached, tell the `weight` of what lies there: an item that is sold by the piece (`pieceWeight` of
    the item) is then not certain where that is not the weight of a few pieces.

    Args:
        wait (str | Unset):
        after (str | Unset):
        weight (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Recognition
    """

    return (
        await asyncio_detailed(
            client=client,
            wait=wait,
            after=after,
            weight=weight,
        )
    ).parsed
