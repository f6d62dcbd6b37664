from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.learn_template_unlike import LearnTemplateUnlike
from ...models.learned_template import LearnedTemplate
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    id: str,
    *,
    unlike: LearnTemplateUnlike | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_unlike: str | Unset = UNSET
    if not isinstance(unlike, Unset):
        json_unlike = unlike.value

    params["unlike"] = json_unlike

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/items/{id}/templates".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> LearnedTemplate | Problem | None:
    if response.status_code == 201:
        response_201 = LearnedTemplate.from_dict(response.json())

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
) -> Response[LearnedTemplate | Problem]:
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
    unlike: LearnTemplateUnlike | Unset = UNSET,
) -> Response[LearnedTemplate | Problem]:
    """Learn what lies on the tray as the item

     One more template of it, of the newest picture: five, with the item turned in between, are a good
    start. The item need not have been put before. Sent again after a lost answer it learns the same
    once more, which does no harm.

    Args:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character,
            kept as sent
        unlike (LearnTemplateUnlike | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LearnedTemplate | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        unlike=unlike,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    unlike: LearnTemplateUnlike | Unset = UNSET,
) -> LearnedTemplate | Problem | None:
    """Learn what lies on the tray as the item

     One more template of it, of the newest picture: five, with the item turned in between, are a good
    start. The item need not have been put before. Sent again after a lost answer it learns the same
    once more, which does no harm.

    Args:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character,
            kept as sent
        unlike (LearnTemplateUnlike | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LearnedTemplate | Problem
    """

    return sync_detailed(
        id=id,
        client=client,
        unlike=unlike,
    ).parsed


async def asyncio_detailed(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    unlike: LearnTemplateUnlike | Unset = UNSET,
) -> Response[LearnedTemplate | Problem]:
    """Learn what lies on the tray as the item

     One more template of it, of the newest picture: five, with the item turned in between, are a good
    start. The item need not have been put before. Sent again after a lost answer it learns the same
    once more, which does no harm.

    Args:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character,
            kept as sent
        unlike (LearnTemplateUnlike | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LearnedTemplate | Problem]
    """

    kwargs = _get_kwargs(
        id=id,
        unlike=unlike,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: str,
    *,
    client: AuthenticatedClient | Client,
    unlike: LearnTemplateUnlike | Unset = UNSET,
) -> LearnedTemplate | Problem | None:
    """Learn what lies on the tray as the item

     One more template of it, of the newest picture: five, with the item turned in between, are a good
    start. The item need not have been put before. Sent again after a lost answer it learns the same
    once more, which does no harm.

    Args:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character,
            kept as sent
        unlike (LearnTemplateUnlike | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LearnedTemplate | Problem
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            unlike=unlike,
        )
    ).parsed
