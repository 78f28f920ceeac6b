import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../common/escape-html.js';
import { queryOf } from '../http/target.js';
import { sendMessagePage, sendMethodNotAllowed, sendMissingPage, type MessagePage } from './error-page.js';
import { pagePolicy } from './page.js';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

interface Subscription {
  email: string;
  organization: string | undefined;
  /** Of notifications; weekly reports when absent. */
  categories?: readonly string[] | undefined;
}

/** Undefined is an address without a valid signature; it is answered like any page that does not exist. */
export interface Unsubscribing {
  find(query: URLSearchParams): Promise<Subscription | undefined>;
  apply(query: URLSearchParams): Promise<Subscription | undefined>;
}

/**
 * Answers the unsubscribe links of mails: POST ends the mails at once, as mail programs do it (RFC 8058); GET shows a
 * button, because malware scanners follow links, too. The body is not read.
 */
export async function answerUnsubscribe(
  request: IncomingMessage,
  response: ServerResponse,
  { find, apply }: Unsubscribing,
): Promise<void> {
  request.resume();
  const query = queryOf(request);
  const posted = request.method === 'POST';
  const found = posted ? await apply(query) : await find(query);
  if (found === undefined) return sendMissingPage(request, response);
  response.setHeader('cache-control', 'no-store');
  if (!posted && request.method !== 'GET' && request.method !== 'HEAD') {
    return sendMethodNotAllowed(request, response, 'GET, HEAD, POST');
  }
  sendMessagePage(response, 200, { ...(posted ? done(found) : question(found)), policy: POLICY });
}

const POLICY = pagePolicy({ 'form-action': ["'self'"] });

function question(subscription: Subscription): MessagePage {
  const [title, verb] =
    subscription.categories === undefined ? ['Stop the weekly report', 'goes'] : ['Stop these mails', 'go'];
  return {
    title: `${title}?`,
    content: `<p>${mailsOf(subscription, verb)}.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${title}</button></form>`,
  };
}

function done(subscription: Subscription): MessagePage {
  if (subscription.categories !== undefined)
    return {
      title: 'These mails are stopped',
      content: `<p>${mailsOf(subscription, 'no longer go')}. The member can switch them on again.</p>`,
    };
  return {
    title: 'The weekly report is stopped',
    content: `<p>${mailsOf(subscription, 'no longer goes')}. A manager of the organization can switch it on again.</p>`,
  };
}

function mailsOf({ email, organization = 'this organization', categories }: Subscription, verb: string): string {
  const [name, reader] = [organization, email].map((text) => `<strong>${escapeHtml(text)}</strong>`);
  if (categories === undefined) return `The weekly security report of ${name} ${verb} to ${reader}`;
  return `Notifications of ${name} in the categories ${categories.join(', ')} ${verb} to ${reader}`;
}
