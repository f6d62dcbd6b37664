from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.done import Done
from ...models.failure import Failure
from ...models.update_settings import UpdateSettings
from ...types import Response


def _get_kwargs(
    *,
    body: UpdateSettings,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/updateDriverSettings",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Done | Failure | None:
    if response.status_code == 200:
        response_200 = Done.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = Failure.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Failure.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Failure.from_dict(response.json())

        return response_403

    if response.status_code == 408:
        response_408 = Failure.from_dict(response.json())

        return response_408

    if response.status_code == 413:
        response_413 = Failure.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Failure.from_dict(response.json())

        return response_415

    if response.status_code == 426:
        response_426 = Failure.from_dict(response.json())

        return response_426

    if response.status_code == 429:
        response_429 = Failure.from_dict(response.json())

        return response_429

    if response.status_code == 431:
        response_431 = Failure.from_dict(response.json())

        return response_431

    if response.status_code == 500:
        response_500 = Failure.from_dict(response.json())

        return response_500

    if response.status_code == 503:
        response_503 = Failure.from_dict(response.json())

        return response_503

    if response.status_code == 507:
        response_507 = Failure.from_dict(response.json())

        return response_507

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Done | Failure]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: UpdateSettings,
) -> Response[Done | Failure]:
    """Apply new driver settings

     Stores the bank profiles and the display, and opens them. Only the profile in use is judged; a
    masked secret keeps the stored one. Nothing has changed where it is refused. What is still missing
    on the device (the address of a CFT bank, a display that cannot be opened) is told beside the
    success, as error_category, error_code and error_message.

    Args:
        body (UpdateSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Done | Failure]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: UpdateSettings,
) -> Done | Failure | None:
    """Apply new driver settings

     Stores the bank profiles and the display, and opens them. Only the profile in use is judged; a
    masked secret keeps the stored one. Nothing has changed where it is refused. What is still missing
    on the device (the address of a CFT bank, a display that cannot be opened) is told beside the
    success, as error_category, error_code and error_message.

    Args:
        body (UpdateSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Done | Failure
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: UpdateSettings,
) -> Response[Done | Failure]:
    """Apply new driver settings

     Stores the bank profiles and the display, and opens them. Only the profile in use is judged; a
    masked secret keeps the stored one. Nothing has changed where it is refused. What is still missing
    on the device (the address of a CFT bank, a display that cannot be opened) is told beside the
    success, as error_category, error_code and error_message.

    Args:
        body (UpdateSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Done | Failure]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: UpdateSettings,
) -> Done | Failure | None:
    """Apply new driver settings

     Stores the bank profiles and the display, and opens them. Only the profile in use is judged; a
    masked secret keeps the stored one. Nothing has changed where it is refused. What is still missing
    on the device (the address of a CFT bank, a display that cannot be opened) is told beside the
    success, as error_category, error_code and error_message.

    Args:
        body (UpdateSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Done | Failure
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
