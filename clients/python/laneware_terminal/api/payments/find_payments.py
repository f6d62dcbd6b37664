from http import HTTPStatus
from typing import Any

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.find_payments_late import FindPaymentsLate
from ...models.payment_state import PaymentState
from ...models.payments_page import PaymentsPage
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    *,
    number: str | Unset = UNSET,
    order_id: str | Unset = UNSET,
    qrc_id: str | Unset = UNSET,
    trx_id: str | Unset = UNSET,
    key: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    amount: str | Unset = UNSET,
    day: str | Unset = UNSET,
    from_: str | Unset = UNSET,
    to: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
    late: FindPaymentsLate | Unset = UNSET,
    profile: str | Unset = UNSET,
    till: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["number"] = number

    params["orderId"] = order_id

    params["qrcId"] = qrc_id

    params["trxId"] = trx_id

    params["key"] = key

    params["reference"] = reference

    params["amount"] = amount

    params["day"] = day

    params["from"] = from_

    params["to"] = to

    json_state: str | Unset = UNSET
    if not isinstance(state, Unset):
        json_state = state.value

    params["state"] = json_state

    json_late: str | Unset = UNSET
    if not isinstance(late, Unset):
        json_late = late.value

    params["late"] = json_late

    params["profile"] = profile

    params["till"] = till

    params["limit"] = limit

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/payments",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> PaymentsPage | Problem | None:
    if response.status_code == 200:
        response_200 = PaymentsPage.from_dict(response.json())

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
) -> Response[PaymentsPage | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    number: str | Unset = UNSET,
    order_id: str | Unset = UNSET,
    qrc_id: str | Unset = UNSET,
    trx_id: str | Unset = UNSET,
    key: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    amount: str | Unset = UNSET,
    day: str | Unset = UNSET,
    from_: str | Unset = UNSET,
    to: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
    late: FindPaymentsLate | Unset = UNSET,
    profile: str | Unset = UNSET,
    till: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[PaymentsPage | Problem]:
    """Find payments

     Those that fit all that is asked for, newest first, a page at a time: `cursor` of an answer asks for
    the next one. A till that reaches only its own payments finds those alone.

    Args:
        number (str | Unset):
        order_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        qrc_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        trx_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        key (str | Unset):
        reference (str | Unset): what the till calls the sale, as the number of a receipt: kept
            and told with the payment
        amount (str | Unset):
        day (str | Unset): the first day, in the time zone of the device
        from_ (str | Unset): the first day, in the time zone of the device
        to (str | Unset): the first day, in the time zone of the device
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet
        late (FindPaymentsLate | Unset):
        profile (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        till (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        limit (str | Unset):
        cursor (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaymentsPage | Problem]
    """

    kwargs = _get_kwargs(
        number=number,
        order_id=order_id,
        qrc_id=qrc_id,
        trx_id=trx_id,
        key=key,
        reference=reference,
        amount=amount,
        day=day,
        from_=from_,
        to=to,
        state=state,
        late=late,
        profile=profile,
        till=till,
        limit=limit,
        cursor=cursor,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    number: str | Unset = UNSET,
    order_id: str | Unset = UNSET,
    qrc_id: str | Unset = UNSET,
    trx_id: str | Unset = UNSET,
    key: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    amount: str | Unset = UNSET,
    day: str | Unset = UNSET,
    from_: str | Unset = UNSET,
    to: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
    late: FindPaymentsLate | Unset = UNSET,
    profile: str | Unset = UNSET,
    till: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> PaymentsPage | Problem | None:
    """Find payments

     Those that fit all that is asked for, newest first, a page at a time: `cursor` of an answer asks for
    the next one. A till that reaches only its own payments finds those alone.

    Args:
        number (str | Unset):
        order_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        qrc_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        trx_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        key (str | Unset):
        reference (str | Unset): what the till calls the sale, as the number of a receipt: kept
            and told with the payment
        amount (str | Unset):
        day (str | Unset): the first day, in the time zone of the device
        from_ (str | Unset): the first day, in the time zone of the device
        to (str | Unset): the first day, in the time zone of the device
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet
        late (FindPaymentsLate | Unset):
        profile (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        till (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        limit (str | Unset):
        cursor (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaymentsPage | Problem
    """

    return sync_detailed(
        client=client,
        number=number,
        order_id=order_id,
        qrc_id=qrc_id,
        trx_id=trx_id,
        key=key,
        reference=reference,
        amount=amount,
        day=day,
        from_=from_,
        to=to,
        state=state,
        late=late,
        profile=profile,
        till=till,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    number: str | Unset = UNSET,
    order_id: str | Unset = UNSET,
    qrc_id: str | Unset = UNSET,
    trx_id: str | Unset = UNSET,
    key: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    amount: str | Unset = UNSET,
    day: str | Unset = UNSET,
    from_: str | Unset = UNSET,
    to: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
    late: FindPaymentsLate | Unset = UNSET,
    profile: str | Unset = UNSET,
    till: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Response[PaymentsPage | Problem]:
    """Find payments

     Those that fit all that is asked for, newest first, a page at a time: `cursor` of an answer asks for
    the next one. A till that reaches only its own payments finds those alone.

    Args:
        number (str | Unset):
        order_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        qrc_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        trx_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        key (str | Unset):
        reference (str | Unset): what the till calls the sale, as the number of a receipt: kept
            and told with the payment
        amount (str | Unset):
        day (str | Unset): the first day, in the time zone of the device
        from_ (str | Unset): the first day, in the time zone of the device
        to (str | Unset): the first day, in the time zone of the device
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet
        late (FindPaymentsLate | Unset):
        profile (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        till (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        limit (str | Unset):
        cursor (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PaymentsPage | Problem]
    """

    kwargs = _get_kwargs(
        number=number,
        order_id=order_id,
        qrc_id=qrc_id,
        trx_id=trx_id,
        key=key,
        reference=reference,
        amount=amount,
        day=day,
        from_=from_,
        to=to,
        state=state,
        late=late,
        profile=profile,
        till=till,
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    number: str | Unset = UNSET,
    order_id: str | Unset = UNSET,
    qrc_id: str | Unset = UNSET,
    trx_id: str | Unset = UNSET,
    key: str | Unset = UNSET,
    reference: str | Unset = UNSET,
    amount: str | Unset = UNSET,
    day: str | Unset = UNSET,
    from_: str | Unset = UNSET,
    to: str | Unset = UNSET,
    state: PaymentState | Unset = UNSET,
    late: FindPaymentsLate | Unset = UNSET,
    profile: str | Unset = UNSET,
    till: str | Unset = UNSET,
    limit: str | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> PaymentsPage | Problem | None:
    """Find payments

     Those that fit all that is asked for, newest first, a page at a time: `cursor` of an answer asks for
    the next one. A till that reaches only its own payments finds those alone.

    Args:
        number (str | Unset):
        order_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        qrc_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        trx_id (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        key (str | Unset):
        reference (str | Unset): what the till calls the sale, as the number of a receipt: kept
            and told with the payment
        amount (str | Unset):
        day (str | Unset): the first day, in the time zone of the device
        from_ (str | Unset): the first day, in the time zone of the device
        to (str | Unset): the first day, in the time zone of the device
        state (PaymentState | Unset): of the last call. PENDING: ask again. ACCEPTED: paid, for
            good. REJECTED, CANCELED, ERROR: not paid, as far as the bank has told; the other fields
            say why it is ERROR, and of PENDING why the bank does not tell. STATIC: a fixed code is
            shown, of which no bank tells. EMPTY: none yet
        late (FindPaymentsLate | Unset):
        profile (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        till (str | Unset): what the till calls the sale, as the number of a receipt: kept and
            told with the payment
        limit (str | Unset):
        cursor (str | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PaymentsPage | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            number=number,
            order_id=order_id,
            qrc_id=qrc_id,
            trx_id=trx_id,
            key=key,
            reference=reference,
            amount=amount,
            day=day,
            from_=from_,
            to=to,
            state=state,
            late=late,
            profile=profile,
            till=till,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
