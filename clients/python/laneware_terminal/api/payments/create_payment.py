from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.sale import Sale
from ...models.sale_answer import SaleAnswer
from ...types import Response


def _get_kwargs(
    *,
    body: Sale,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/payments",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | SaleAnswer | None:
    if response.status_code == 200:
        response_200 = SaleAnswer.from_dict(response.json())

        return response_200

    if response.status_code == 201:
        response_201 = SaleAnswer.from_dict(response.json())

        return response_201

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

    if response.status_code == 409:
        response_409 = Problem.from_dict(response.json())

        return response_409

    if response.status_code == 413:
        response_413 = Problem.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Problem.from_dict(response.json())

        return response_415

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

    if response.status_code == 502:
        response_502 = Problem.from_dict(response.json())

        return response_502

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
) -> Response[Problem | SaleAnswer]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: Sale,
    idempotency_key: str,
) -> Response[Problem | SaleAnswer]:
    """Ask for a payment and show its code

     Answers when the code is on the display; give it 30 s. 201: a new payment. 200: the one that the
    header `Idempotency-Key` has stood for before, however long ago: as long as it may be paid, and was
    not cancelled, its code is shown again, else its state is told. With another body the key is refused
    (Payments.IdConflict). A failure that has `repeat` is one of the `payment` of the key: `false`, the
    key is used up; `true`, the payment is open: send the same again, with the same key. After any
    other, or none at all, send the same again.

    Args:
        idempotency_key (str):
        body (Sale):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SaleAnswer]
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
    body: Sale,
    idempotency_key: str,
) -> Problem | SaleAnswer | None:
    """Ask for a payment and show its code

     Answers when the code is on the display; give it 30 s. 201: a new payment. 200: the one that the
    header `Idempotency-Key` has stood for before, however long ago: as long as it may be paid, and was
    not cancelled, its code is shown again, else its state is told. With another body the key is refused
    (Payments.IdConflict). A failure that has `repeat` is one of the `payment` of the key: `false`, the
    key is used up; `true`, the payment is open: send the same again, with the same key. After any
    other, or none at all, send the same again.

    Args:
        idempotency_key (str):
        body (Sale):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SaleAnswer
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    body: Sale,
    idempotency_key: str,
) -> Response[Problem | SaleAnswer]:
    """Ask for a payment and show its code

     Answers when the code is on the display; give it 30 s. 201: a new payment. 200: the one that the
    header `Idempotency-Key` has stood for before, however long ago: as long as it may be paid, and was
    not cancelled, its code is shown again, else its state is told. With another body the key is refused
    (Payments.IdConflict). A failure that has `repeat` is one of the `payment` of the key: `false`, the
    key is used up; `true`, the payment is open: send the same again, with the same key. After any
    other, or none at all, send the same again.

    Args:
        idempotency_key (str):
        body (Sale):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SaleAnswer]
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
    body: Sale,
    idempotency_key: str,
) -> Problem | SaleAnswer | None:
    """Ask for a payment and show its code

     Answers when the code is on the display; give it 30 s. 201: a new payment. 200: the one that the
    header `Idempotency-Key` has stood for before, however long ago: as long as it may be paid, and was
    not cancelled, its code is shown again, else its state is told. With another body the key is refused
    (Payments.IdConflict). A failure that has `repeat` is one of the `payment` of the key: `false`, the
    key is used up; `true`, the payment is open: send the same again, with the same key. After any
    other, or none at all, send the same again.

    Args:
        idempotency_key (str):
        body (Sale):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SaleAnswer
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
