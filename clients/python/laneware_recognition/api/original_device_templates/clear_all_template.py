from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.deleted_here import DeletedHere
from ...models.failure import Failure
from ...types import Response


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/clear_all_template",
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> DeletedHere | Failure | None:
    if response.status_code == 200:

        def _parse_response_200(data: object) -> DeletedHere | Failure:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_type_0 = DeletedHere.from_dict(data)

                return response_200_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            response_200_type_1 = Failure.from_dict(data)

            return response_200_type_1

        response_200 = _parse_response_200(response.json())

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
) -> Response[DeletedHere | Failure]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[DeletedHere | Failure]:
    """Delete all templates of all items

     Recognition forgets everything. It cannot be taken back: export first. In a store the templates may
    come back: then `msg` says so.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeletedHere | Failure | Failure]
    """

    kwargs = _get_kwargs()

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
) -> DeletedHere | Failure | None:
    """Delete all templates of all items

     Recognition forgets everything. It cannot be taken back: export first. In a store the templates may
    come back: then `msg` says so.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeletedHere | Failure | Failure
    """

    return sync_detailed(
        client=client,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
) -> Response[DeletedHere | Failure]:
    """Delete all templates of all items

     Recognition forgets everything. It cannot be taken back: export first. In a store the templates may
    come back: then `msg` says so.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DeletedHere | Failure | Failure]
    """

    kwargs = _get_kwargs()

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
) -> DeletedHere | Failure | None:
    """Delete all templates of all items

     Recognition forgets everything. It cannot be taken back: export first. In a store the templates may
    come back: then `msg` says so.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DeletedHere | Failure | Failure
    """

    return (
        await asyncio_detailed(
            client=client,
        )
    ).parsed
