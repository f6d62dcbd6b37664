from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.tray_beat import TrayBeat
from ...models.tray_gap import TrayGap
from ...models.tray_hello import TrayHello
from ...models.tray_message import TrayMessage
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(last_event_id, Unset):
        headers["Last-Event-ID"] = last_event_id

    params: dict[str, Any] = {}

    params["after"] = after

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/recognition/events",
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | TrayBeat | TrayGap | TrayHello | TrayMessage | None:
    if response.status_code == 200:

        def _parse_response_200(
            data: object,
        ) -> TrayBeat | TrayGap | TrayHello | TrayMessage:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_0 = TrayHello.from_dict(data)

                return response_200_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_1 = TrayBeat.from_dict(data)

                return response_200_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_2 = TrayGap.from_dict(data)

                return response_200_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            response_200_type_3 = TrayMessage.from_dict(data)

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
) -> Response[Problem | TrayBeat | TrayGap | TrayHello | TrayMessage]:
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
    last_event_id: str | Unset = UNSET,
) -> Response[Problem | TrayBeat | TrayGap | TrayHello | TrayMessage]:
    """What happens on the tray, live

     Server-sent events: `hello` once; the present state, or the events after the number of `after` or
    `Last-Event-ID`; then each as it comes, and `beat` while nothing happens. The newest 256 are kept in
    memory for as long as somebody follows them and a minute more: `gap` tells that some were missed.
    The state follows it.

    Args:
        after (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | TrayBeat | TrayGap | TrayHello | TrayMessage]
    """

    kwargs = _get_kwargs(
        after=after,
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
    last_event_id: str | Unset = UNSET,
) -> Problem | TrayBeat | TrayGap | TrayHello | TrayMessage | None:
    """What happens on the tray, live

     Server-sent events: `hello` once; the present state, or the events after the number of `after` or
    `Last-Event-ID`; then each as it comes, and `beat` while nothing happens. The newest 256 are kept in
    memory for as long as somebody follows them and a minute more: `gap` tells that some were missed.
    The state follows it.

    Args:
        after (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | TrayBeat | TrayGap | TrayHello | TrayMessage
    """

    return sync_detailed(
        client=client,
        after=after,
        last_event_id=last_event_id,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> Response[Problem | TrayBeat | TrayGap | TrayHello | TrayMessage]:
    """What happens on the tray, live

     Server-sent events: `hello` once; the present state, or the events after the number of `after` or
    `Last-Event-ID`; then each as it comes, and `beat` while nothing happens. The newest 256 are kept in
    memory for as long as somebody follows them and a minute more: `gap` tells that some were missed.
    The state follows it.

    Args:
        after (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | TrayBeat | TrayGap | TrayHello | TrayMessage]
    """

    kwargs = _get_kwargs(
        after=after,
        last_event_id=last_event_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    after: str | Unset = UNSET,
    last_event_id: str | Unset = UNSET,
) -> Problem | TrayBeat | TrayGap | TrayHello | TrayMessage | None:
    """What happens on the tray, live

     Server-sent events: `hello` once; the present state, or the events after the number of `after` or
    `Last-Event-ID`; then each as it comes, and `beat` while nothing happens. The newest 256 are kept in
    memory for as long as somebody follows them and a minute more: `gap` tells that some were missed.
    The state follows it.

    Args:
        after (str | Unset):
        last_event_id (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | TrayBeat | TrayGap | TrayHello | TrayMessage
    """

    return (
        await asyncio_detailed(
            client=client,
            after=after,
            last_event_id=last_event_id,
        )
    ).parsed
