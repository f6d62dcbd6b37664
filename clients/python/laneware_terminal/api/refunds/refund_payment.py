from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.refund import Refund
from ...models.refund_request import RefundRequest
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    body: RefundRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/payments/{id}/refunds".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | Refund | None:
    if response.status_code == 200:
        response_200 = Refund.from_dict(response.json())

        return response_200

    if response.status_code == 202:
        response_202 = Refund.from_dict(response.json())

        return response_202

    if response.status_code == 400:
        response_400 = Problem.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Problem.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Problem.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = Problem.from_dict(response.json())

        return response_404

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
) -> Response[Problem | Refund]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: RefundRequest,
    idempotency_key: str | Unset = UNSET,
) -> Response[Problem | Refund]:
    """Give money of a paid payment back, all of it or a part

     The same id (header `Idempotency-Key`, or `id` of the body) is the same refund, however often and
    whenever it is sent; with another amount or payment it is refused (Payments.IdConflict). 202: what
    came of it is not decided yet: follow it with `GET …/refunds/{refundId}?wait=25`, or ask again with
    the same id.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        idempotency_key (str | Unset):
        body (RefundRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Refund]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: RefundRequest,
    idempotency_key: str | Unset = UNSET,
) -> Problem | Refund | None:
    """Give money of a paid payment back, all of it or a part

     The same id (header `Idempotency-Key`, or `id` of the body) is the same refund, however often and
    whenever it is sent; with another amount or payment it is refused (Payments.IdConflict). 202: what
    came of it is not decided yet: follow it with `GET …/refunds/{refundId}?wait=25`, or ask again with
    the same id.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        idempotency_key (str | Unset):
        body (RefundRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Refund
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: RefundRequest,
    idempotency_key: str | Unset = UNSET,
) -> Response[Problem | Refund]:
    """Give money of a paid payment back, all of it or a part

     The same id (header `Idempotency-Key`, or `id` of the body) is the same refund, however often and
    whenever it is sent; with another amount or payment it is refused (Payments.IdConflict). 202: what
    came of it is not decided yet: follow it with `GET …/refunds/{refundId}?wait=25`, or ask again with
    the same id.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        idempotency_key (str | Unset):
        body (RefundRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Refund]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    body: RefundRequest,
    idempotency_key: str | Unset = UNSET,
) -> Problem | Refund | None:
    """Give money of a paid payment back, all of it or a part

     The same id (header `Idempotency-Key`, or `id` of the body) is the same refund, however often and
    whenever it is sent; with another amount or payment it is refused (Payments.IdConflict). 202: what
    came of it is not decided yet: follow it with `GET …/refunds/{refundId}?wait=25`, or ask again with
    the same id.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        idempotency_key (str | Unset):
        body (RefundRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Refund
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
