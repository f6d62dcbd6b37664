from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.beat_event import BeatEvent
from ...models.hello_event import HelloEvent
from ...models.overview_event import OverviewEvent
from ...models.problem import Problem
from ...types import Response


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/overview/events",
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> BeatEvent | HelloEvent | OverviewEvent | Problem | None:
    if response.status_code == 200:

        def _parse_response_200(data: object) -> BeatEvent | HelloEvent | OverviewEvent:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_0 = HelloEvent.from_dict(data)

                return response_200_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_1 = BeatEvent.from_dict(data)

                return response_200_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            response_200_type_2 = OverviewEvent.from_dict(data)

            return response_200_type_2

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
) -> Response[BeatEvent | HelloEvent | OverviewEvent | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[BeatEvent | HelloEvent | OverviewEvent | Problem]:
    """What the device is doing, live

     Server-sent events: `hello` once, the present state at once and then each change as a message, and
    `beat` while nothing changes. Silence for more than two beats means that the device is lost.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BeatEvent | HelloEvent | OverviewEvent | Problem]
    """

    kwargs = _get_kwargs()

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
) -> BeatEvent | HelloEvent | OverviewEvent | Problem | None:
    """What the device is doing, live

     Server-sent events: `hello` once, the present state at once and then each change as a message, and
    `beat` while nothing changes. Silence for more than two beats means that the device is lost.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BeatEvent | HelloEvent | OverviewEvent | Problem
    """

    return sync_detailed(
        client=client,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[BeatEvent | HelloEvent | OverviewEvent | Problem]:
    """What the device is doing, live

     Server-sent events: `hello` once, the present state at once and then each change as a message, and
    `beat` while nothing changes. Silence for more than two beats means that the device is lost.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BeatEvent | HelloEvent | OverviewEvent | Problem]
    """

    kwargs = _get_kwargs()

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
) -> BeatEvent | HelloEvent | OverviewEvent | Problem | None:
    """What the device is doing, live

     Server-sent events: `hello` once, the present state at once and then each change as a message, and
    `beat` while nothing changes. Silence for more than two beats means that the device is lost.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BeatEvent | HelloEvent | OverviewEvent | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
        )
    ).parsed
