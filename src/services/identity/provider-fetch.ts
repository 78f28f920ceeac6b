import type { CustomFetch } from 'openid-client';
import type { OutgoingRequests } from '../../common/outgoing-requests.js';

/** A request that was not sent to a provider, or not answered by it. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/** `fetch` through the guard of outgoing requests. Rejects with ProviderAway. */
export function providerFetch(outgoing: OutgoingRequests): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`A provider is not called by ${method}`);
    const text = body == null ? {} : { body: String(body) };
    const answer = await outgoing.send({ method, url, headers, ...text }).catch((cause: unknown) => {
      throw new ProviderAway('The provider was not called, or does not answer', { cause });
    });
    const shown = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const each of [value ?? []].flat()) shown.append(name, each);
    const hasBody = ![204, 205, 304].includes(answer.status);
    return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers: shown });
  };
}
