from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.look_alikes import LookAlikes
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/recognition/look-alikes",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> LookAlikes | Problem | None:
    if response.status_code == 200:
        response_200 = LookAlikes.from_dict(response.json())

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
) -> Response[LookAlikes | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[LookAlikes | Problem]:
    """What recognition hardly keeps apart

     Items that look alike to the camera, so that an answer with one of them is seldom certain, and
    templates that look like another item than their own. Items are looked at in the order of their ids,
    up to 500 for one answer: `cursor` goes on.

    Args:
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LookAlikes | Problem]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> LookAlikes | Problem | None:
    """What recognition hardly keeps apart

     Items that look alike to the camera, so that an answer with one of them is seldom certain, and
    templates that look like another item than their own. Items are looked at in the order of their ids,
    up to 500 for one answer: `cursor` goes on.

    Args:
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LookAlikes | Problem
    """

    return sync_detailed(
        client=client,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[LookAlikes | Problem]:
    """What recognition hardly keeps apart

     Items that look alike to the camera, so that an answer with one of them is seldom certain, and
    templates that look like another item than their own. Items are looked at in the order of their ids,
    up to 500 for one answer: `cursor` goes on.

    Args:
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LookAlikes | Problem]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> LookAlikes | Problem | None:
    """What recognition hardly keeps apart

     Items that look alike to the camera, so that an answer with one of them is seldom certain, and
    templates that look like another item than their own. Items are looked at in the order of their ids,
    up to 500 for one answer: `cursor` goes on.

    Args:
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LookAlikes | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
