from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.call_origin import CallOrigin
from ...models.problem import Problem
from ...models.till_calls import TillCalls
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    path: str | Unset = UNSET,
    status: str | Unset = UNSET,
    origin: CallOrigin | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["path"] = path

    params["status"] = status

    json_origin: str | Unset = UNSET
    if not isinstance(origin, Unset):
        json_origin = origin.value

    params["origin"] = json_origin

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/calls",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | TillCalls | None:
    if response.status_code == 200:
        response_200 = TillCalls.from_dict(response.json())

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
) -> Response[Problem | TillCalls]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    path: str | Unset = UNSET,
    status: str | Unset = UNSET,
    origin: CallOrigin | Unset = UNSET,
) -> Response[Problem | TillCalls]:
    """The last calls of tills, newest first

     The last 200 at most, and fewer where they are long; kept in memory alone. Calls of pages and of
    whoever looks after the device are among them, told apart by `origin`; those that read this list are
    not.

    Args:
        after (str | Unset):
        limit (str | Unset):
        path (str | Unset):
        status (str | Unset):
        origin (CallOrigin | Unset): till: a program. page: a page in a browser. watch: somebody
            looks whether the device is well

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | TillCalls]
    """

    kwargs = _get_kwargs(
        after=after,
        limit=limit,
        path=path,
        status=status,
        origin=origin,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    path: str | Unset = UNSET,
    status: str | Unset = UNSET,
    origin: CallOrigin | Unset = UNSET,
) -> Problem | TillCalls | None:
    """The last calls of tills, newest first

     The last 200 at most, and fewer where they are long; kept in memory alone. Calls of pages and of
    whoever looks after the device are among them, told apart by `origin`; those that read this list are
    not.

    Args:
        after (str | Unset):
        limit (str | Unset):
        path (str | Unset):
        status (str | Unset):
        origin (CallOrigin | Unset): till: a program. page: a page in a browser. watch: somebody
            looks whether the device is well

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | TillCalls
    """

    return sync_detailed(
        client=client,
        after=after,
        limit=limit,
        path=path,
        status=status,
        origin=origin,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    path: str | Unset = UNSET,
    status: str | Unset = UNSET,
    origin: CallOrigin | Unset = UNSET,
) -> Response[Problem | TillCalls]:
    """The last calls of tills, newest first

     The last 200 at most, and fewer where they are long; kept in memory alone. Calls of pages and of
    whoever looks after the device are among them, told apart by `origin`; those that read this list are
    not.

    Args:
        after (str | Unset):
        limit (str | Unset):
        path (str | Unset):
        status (str | Unset):
        origin (CallOrigin | Unset): till: a program. page: a page in a browser. watch: somebody
            looks whether the device is well

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | TillCalls]
    """

    kwargs = _get_kwargs(
        after=after,
        limit=limit,
        path=path,
        status=status,
        origin=origin,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    path: str | Unset = UNSET,
    status: str | Unset = UNSET,
    origin: CallOrigin | Unset = UNSET,
) -> Problem | TillCalls | None:
    """The last calls of tills, newest first

     The last 200 at most, and fewer where they are long; kept in memory alone. Calls of pages and of
    whoever looks after the device are among them, told apart by `origin`; those that read this list are
    not.

    Args:
        after (str | Unset):
        limit (str | Unset):
        path (str | Unset):
        status (str | Unset):
        origin (CallOrigin | Unset): till: a program. page: a page in a browser. watch: somebody
            looks whether the device is well

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | TillCalls
    """

    return (
        await asyncio_detailed(
            client=client,
            after=after,
            limit=limit,
            path=path,
            status=status,
            origin=origin,
        )
    ).parsed
