from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.beat_message import BeatMessage
from ...models.event_message import EventMessage
from ...models.gap_message import GapMessage
from ...models.hello_message import HelloMessage
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    types: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(last_event_id, Unset):
        headers["Last-Event-ID"] = last_event_id

    params: dict[str, Any] = {}

    params["after"] = after

    params["types"] = types

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/events",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> BeatMessage | EventMessage | GapMessage | HelloMessage | Problem | None:
    if response.status_code == 200:

        def _parse_response_200(
            data: object,
        ) -> BeatMessage | EventMessage | GapMessage | HelloMessage:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_0 = HelloMessage.from_dict(data)

                return response_200_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_1 = BeatMessage.from_dict(data)

                return response_200_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_2 = GapMessage.from_dict(data)

                return response_200_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            response_200_type_3 = EventMessage.from_dict(data)

            return response_200_type_3

        response_200 = _parse_response_200(response.text)

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
) -> Response[BeatMessage | EventMessage | GapMessage | HelloMessage | Problem]:
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
    types: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> Response[BeatMessage | EventMessage | GapMessage | HelloMessage | Problem]:
    """What happens to payments and refunds, live and since a moment before

     Server-sent events: `hello` once; `gap` where not all that was asked for is kept; the events since,
    in order; a `beat` when all of them are told; then each event as it comes, and `beat` while nothing
    happens. Silence for more than two beats means that the device is lost: connect again with `Last-
    Event-ID`, and nothing is missed. An event may come more than once over a crash of the device, never
    out of order. A till that reaches only its own payments is told of those alone.

    Args:
        after (str | Unset):
        types (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BeatMessage | EventMessage | GapMessage | HelloMessage | Problem]
    """

    kwargs = _get_kwargs(
        after=after,
        types=types,
        last_event_id=last_event_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    types: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> BeatMessage | EventMessage | GapMessage | HelloMessage | Problem | None:
    """What happens to payments and refunds, live and since a moment before

     Server-sent events: `hello` once; `gap` where not all that was asked for is kept; the events since,
    in order; a `beat` when all of them are told; then each event as it comes, and `beat` while nothing
    happens. Silence for more than two beats means that the device is lost: connect again with `Last-
    Event-ID`, and nothing is missed. An event may come more than once over a crash of the device, never
    out of order. A till that reaches only its own payments is told of those alone.

    Args:
        after (str | Unset):
        types (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BeatMessage | EventMessage | GapMessage | HelloMessage | Problem
    """

    return sync_detailed(
        client=client,
        after=after,
        types=types,
        last_event_id=last_event_id,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    types: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> Response[BeatMessage | EventMessage | GapMessage | HelloMessage | Problem]:
    """What happens to payments and refunds, live and since a moment before

     Server-sent events: `hello` once; `gap` where not all that was asked for is kept; the events since,
    in order; a `beat` when all of them are told; then each event as it comes, and `beat` while nothing
    happens. Silence for more than two beats means that the device is lost: connect again with `Last-
    Event-ID`, and nothing is missed. An event may come more than once over a crash of the device, never
    out of order. A till that reaches only its own payments is told of those alone.

    Args:
        after (str | Unset):
        types (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BeatMessage | EventMessage | GapMessage | HelloMessage | Problem]
    """

    kwargs = _get_kwargs(
        after=after,
        types=types,
        last_event_id=last_event_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    types: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> BeatMessage | EventMessage | GapMessage | HelloMessage | Problem | None:
    """What happens to payments and refunds, live and since a moment before

     Server-sent events: `hello` once; `gap` where not all that was asked for is kept; the events since,
    in order; a `beat` when all of them are told; then each event as it comes, and `beat` while nothing
    happens. Silence for more than two beats means that the device is lost: connect again with `Last-
    Event-ID`, and nothing is missed. An event may come more than once over a crash of the device, never
    out of order. A till that reaches only its own payments is told of those alone.

    Args:
        after (str | Unset):
        types (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BeatMessage | EventMessage | GapMessage | HelloMessage | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            after=after,
            types=types,
            last_event_id=last_event_id,
        )
    ).parsed
