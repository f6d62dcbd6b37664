from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.items_page import ItemsPage
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    search: str | Unset = UNSET,
    plu: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["search"] = search

    params["plu"] = plu

    params["limit"] = limit

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/items",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ItemsPage | Problem | None:
    if response.status_code == 200:
        response_200 = ItemsPage.from_dict(response.json())

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
) -> Response[ItemsPage | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    search: str | Unset = UNSET,
    plu: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ItemsPage | Problem]:
    """Find items

     Those that fit all that is asked for, by their ids, a page at a time: `cursor` of an answer asks for
    the next one. An item that was learned and never put here is not among them.

    Args:
        search (str | Unset):
        plu (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ItemsPage | Problem]
    """

    kwargs = _get_kwargs(
        search=search,
        plu=plu,
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
    search: str | Unset = UNSET,
    plu: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ItemsPage | Problem | None:
    """Find items

     Those that fit all that is asked for, by their ids, a page at a time: `cursor` of an answer asks for
    the next one. An item that was learned and never put here is not among them.

    Args:
        search (str | Unset):
        plu (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ItemsPage | Problem
    """

    return sync_detailed(
        client=client,
        search=search,
        plu=plu,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    search: str | Unset = UNSET,
    plu: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[ItemsPage | Problem]:
    """Find items

     Those that fit all that is asked for, by their ids, a page at a time: `cursor` of an answer asks for
    the next one. An item that was learned and never put here is not among them.

    Args:
        search (str | Unset):
        plu (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ItemsPage | Problem]
    """

    kwargs = _get_kwargs(
        search=search,
        plu=plu,
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    search: str | Unset = UNSET,
    plu: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> ItemsPage | Problem | None:
    """Find items

     Those that fit all that is asked for, by their ids, a page at a time: `cursor` of an answer asks for
    the next one. An item that was learned and never put here is not among them.

    Args:
        search (str | Unset):
        plu (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent
        limit (str | Unset):
        cursor (str | Unset): code of the item (PLU): 1 to 64 characters, none of them a control
            character, kept as sent

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ItemsPage | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            search=search,
            plu=plu,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
