from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.payment_state import PaymentState
from ...models.payment_with_refunds import PaymentWithRefunds
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    wait: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["wait"] = wait

    json_state: str | Unset = UNSET
    if not isinstance(state, Unset):
        json_state = state.value

    params["state"] = json_state

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/payments/{id}".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PaymentWithRefunds | Problem | None:
    if response.status_code == 200:
        response_200 = PaymentWithRefunds.from_dict(response.json())

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

    if response.status_code == 404:
        response_404 = Problem.from_dict(response.json())

        return response_404

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
) -> Response[PaymentWithRefunds | Problem]:
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
    wait: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
) -> Response[PaymentWithRefunds | Problem]:
    """A payment and its refunds

     As the ledger has it now; the bank is not asked. With `wait` it is answered when the state of the
    payment has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What has ended is answered at once. A payment of a till that the caller does not
    reach is not found.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        wait (str | Unset):
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaymentWithRefunds | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        wait=wait,
        state=state,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
) -> PaymentWithRefunds | Problem | None:
    """A payment and its refunds

     As the ledger has it now; the bank is not asked. With `wait` it is answered when the state of the
    payment has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What has ended is answered at once. A payment of a till that the caller does not
    reach is not found.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        wait (str | Unset):
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaymentWithRefunds | Problem
    """

    return sync_detailed(
        id=id,
        client=client,
        wait=wait,
        state=state,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
) -> Response[PaymentWithRefunds | Problem]:
    """A payment and its refunds

     As the ledger has it now; the bank is not asked. With `wait` it is answered when the state of the
    payment has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What has ended is answered at once. A payment of a till that the caller does not
    reach is not found.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        wait (str | Unset):
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaymentWithRefunds | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        wait=wait,
        state=state,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
) -> PaymentWithRefunds | Problem | None:
    """A payment and its refunds

     As the ledger has it now; the bank is not asked. With `wait` it is answered when the state of the
    payment has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What has ended is answered at once. A payment of a till that the caller does not
    reach is not found.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        wait (str | Unset):
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaymentWithRefunds | Problem
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            wait=wait,
            state=state,
        )
    ).parsed
