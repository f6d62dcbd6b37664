from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.done import Done
from ...models.failure import Failure
from ...models.show_qr import ShowQR
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    body: ShowQR,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/showQR",
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
    body: ShowQR,
    idempotency_key: str | Unset = UNSET,
) -> Response[Done | Failure]:
    """Register a payment and show its QR code

     Answers when the code is on the display; give it 30 s. The same amount and purpose get the same code
    as long as it may be paid (Bank / SameCode beside the success), or are refused until it may not
    (Bank / PreviousOpen). Calls are answered one after the other; one that has waited for 12 s is
    refused (RequestParams / TooMany). With the header `Idempotency-Key` it is the sale of that key, by
    the rules of `POST /v1/payments`; the answer names the payment in the header `Laneware-Payment-Id`,
    after a failure, too, where there is one. Refused once with Bank / PreviousPaid where an earlier
    payment turns out to be paid; the status is then that of the payment before.

    Args:
        idempotency_key (str | Unset):
        body (ShowQR):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Done | Failure]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    body: ShowQR,
    idempotency_key: str | Unset = UNSET,
) -> Done | Failure | None:
    """Register a payment and show its QR code

     Answers when the code is on the display; give it 30 s. The same amount and purpose get the same code
    as long as it may be paid (Bank / SameCode beside the success), or are refused until it may not
    (Bank / PreviousOpen). Calls are answered one after the other; one that has waited for 12 s is
    refused (RequestParams / TooMany). With the header `Idempotency-Key` it is the sale of that key, by
    the rules of `POST /v1/payments`; the answer names the payment in the header `Laneware-Payment-Id`,
    after a failure, too, where there is one. Refused once with Bank / PreviousPaid where an earlier
    payment turns out to be paid; the status is then that of the payment before.

    Args:
        idempotency_key (str | Unset):
        body (ShowQR):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Done | Failure
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: ShowQR,
    idempotency_key: str | Unset = UNSET,
) -> Response[Done | Failure]:
    """Register a payment and show its QR code

     Answers when the code is on the display; give it 30 s. The same amount and purpose get the same code
    as long as it may be paid (Bank / SameCode beside the success), or are refused until it may not
    (Bank / PreviousOpen). Calls are answered one after the other; one that has waited for 12 s is
    refused (RequestParams / TooMany). With the header `Idempotency-Key` it is the sale of that key, by
    the rules of `POST /v1/payments`; the answer names the payment in the header `Laneware-Payment-Id`,
    after a failure, too, where there is one. Refused once with Bank / PreviousPaid where an earlier
    payment turns out to be paid; the status is then that of the payment before.

    Args:
        idempotency_key (str | Unset):
        body (ShowQR):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Done | Failure]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    body: ShowQR,
    idempotency_key: str | Unset = UNSET,
) -> Done | Failure | None:
    """Register a payment and show its QR code

     Answers when the code is on the display; give it 30 s. The same amount and purpose get the same code
    as long as it may be paid (Bank / SameCode beside the success), or are refused until it may not
    (Bank / PreviousOpen). Calls are answered one after the other; one that has waited for 12 s is
    refused (RequestParams / TooMany). With the header `Idempotency-Key` it is the sale of that key, by
    the rules of `POST /v1/payments`; the answer names the payment in the header `Laneware-Payment-Id`,
    after a failure, too, where there is one. Refused once with Bank / PreviousPaid where an earlier
    payment turns out to be paid; the status is then that of the payment before.

    Args:
        idempotency_key (str | Unset):
        body (ShowQR):

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
            idempotency_key=idempotency_key,
        )
    ).parsed
