from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.refund import Refund
from ...models.refund_state import RefundState
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    refund_id: str,
    *,
    wait: str | Unset = UNSET,
    state: RefundState | Unset = UNSET,
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
        "url": "/v1/payments/{id}/refunds/{refund_id}".format(
            id=quote(str(id), safe=""),
            refund_id=quote(str(refund_id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | Refund | None:
    if response.status_code == 200:
        response_200 = Refund.from_dict(response.json())

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
) -> Response[Problem | Refund]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    id: str,
    refund_id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: RefundState | Unset = UNSET,
) -> Response[Problem | Refund]:
    """A refund, and what has become of it

     As this device has it now; the bank is asked by the device itself. With `wait` it is answered when
    its state has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What is done or refused is answered at once.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        refund_id (str): what the till calls the sale, as the number of a receipt: kept and told
            with the payment
        wait (str | Unset):
        state (RefundState | Unset): done: the money has gone back, or will for certain. refused:
            nothing has gone back by it; the amount is free again, for another id. pending: the bank
            has taken it. asked, sent, unknown: it may have gone back, and may not: the device goes on
            asking the bank; the same call with the same id tells, and never refunds twice

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Refund]
    """

    kwargs = _get_kwargs(
        id=id,
        refund_id=refund_id,
        wait=wait,
        state=state,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    refund_id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: RefundState | Unset = UNSET,
) -> Problem | Refund | None:
    """A refund, and what has become of it

     As this device has it now; the bank is asked by the device itself. With `wait` it is answered when
    its state has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What is done or refused is answered at once.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        refund_id (str): what the till calls the sale, as the number of a receipt: kept and told
            with the payment
        wait (str | Unset):
        state (RefundState | Unset): done: the money has gone back, or will for certain. refused:
            nothing has gone back by it; the amount is free again, for another id. pending: the bank
            has taken it. asked, sent, unknown: it may have gone back, and may not: the device goes on
            asking the bank; the same call with the same id tells, and never refunds twice

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Refund
    """

    return sync_detailed(
        id=id,
        refund_id=refund_id,
        client=client,
        wait=wait,
        state=state,
    ).parsed


async def asyncio_detailed(
    id: str,
    refund_id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: RefundState | Unset = UNSET,
) -> Response[Problem | Refund]:
    """A refund, and what has become of it

     As this device has it now; the bank is asked by the device itself. With `wait` it is answered when
    its state has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What is done or refused is answered at once.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        refund_id (str): what the till calls the sale, as the number of a receipt: kept and told
            with the payment
        wait (str | Unset):
        state (RefundState | Unset): done: the money has gone back, or will for certain. refused:
            nothing has gone back by it; the amount is free again, for another id. pending: the bank
            has taken it. asked, sent, unknown: it may have gone back, and may not: the device goes on
            asking the bank; the same call with the same id tells, and never refunds twice

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Refund]
    """

    kwargs = _get_kwargs(
        id=id,
        refund_id=refund_id,
        wait=wait,
        state=state,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    refund_id: str,
    *,
    client: AuthenticatedClient | Client,
    wait: str | Unset = UNSET,
    state: RefundState | Unset = UNSET,
) -> Problem | Refund | None:
    """A refund, and what has become of it

     As this device has it now; the bank is asked by the device itself. With `wait` it is answered when
    its state has changed (or is another one than `state`), at the latest when so many seconds are over:
    then ask again. What is done or refused is answered at once.

    Args:
        id (str): what the till calls the sale, as the number of a receipt: kept and told with the
            payment
        refund_id (str): what the till calls the sale, as the number of a receipt: kept and told
            with the payment
        wait (str | Unset):
        state (RefundState | Unset): done: the money has gone back, or will for certain. refused:
            nothing has gone back by it; the amount is free again, for another id. pending: the bank
            has taken it. asked, sent, unknown: it may have gone back, and may not: the device goes on
            asking the bank; the same call with the same id tells, and never refunds twice

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Refund
    """

    return (
        await asyncio_detailed(
            id=id,
            refund_id=refund_id,
            client=client,
            wait=wait,
            state=state,
        )
    ).parsed
