/**
 * A browser application without a server: OAuth 2.0 authorization code with PKCE at the gateway's /sign-in. The token
 * is stored only in this page.
 */
const { gateway, organization } = await (await fetch('./settings.json')).json();
const redirectUri = new URL('./', location.href).href;
const part = (id) => document.getElementById(id);

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Redirects to the sign-in. The state for the return is stored in this tab. */
async function begin() {
  const verifier = random();
  const state = random();
  sessionStorage.setItem('sign-in', JSON.stringify({ verifier, state }));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    organization,
    redirect_uri: redirectUri,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    state,
  });
  location.assign(`${gateway}/sign-in?${query}`);
}

/** The token for the code of the redirect; undefined without one. */
async function finish() {
  const { searchParams } = new URL(location.href);
  const kept = JSON.parse(sessionStorage.getItem('sign-in') ?? '{}');
  sessionStorage.removeItem('sign-in');
  // A code can be used once: neither the history nor a reload needs it.
  history.replaceState(null, '', redirectUri);
  if (!searchParams.has('code')) return undefined;
  if (searchParams.get('state') !== kept.state) throw new Error('This sign-in was begun elsewhere.');
  const answer = await fetch(`${gateway}/api/v1/token/exchange`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      code: searchParams.get('code'),
      code_verifier: kept.verifier,
      redirect_uri: redirectUri,
    }),
  });
  if (!answer.ok) throw new Error('The sign-in has ended. Begin again.');
  return (await answer.json()).data.token;
}

async function query(token, document) {
  const answer = await fetch(`${gateway}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: document }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}

async function show(token) {
  const { viewer } = await query(
    token,
    '{ viewer { user { username } organizations(first: 10) { nodes { role organization { name } } } } }',
  );
  part('status').textContent = `Signed in as ${viewer.user.username}`;
  for (const {
    role,
    organization: { name },
  } of viewer.organizations.nodes) {
    const item = document.createElement('li');
    item.textContent = `${name}: ${role}`;
    part('organizations').append(item);
  }
  part('end').hidden = false;
  part('end').addEventListener('click', () => end(token));
}

/** Revokes the token: otherwise it would remain valid. */
async function end(token) {
  const headers = { Authorization: `Bearer ${token}` };
  const { data } = await (await fetch(`${gateway}/api/v1/token`, { headers })).json();
  await fetch(`${gateway}/api/v1/tokens/${data.token.id}`, { method: 'DELETE', headers });
  part('organizations').replaceChildren();
  part('end').hidden = true;
  offer('Signed out');
}

function offer(sentence) {
  part('status').textContent = sentence;
  part('begin').hidden = false;
}

part('begin').addEventListener('click', begin);
try {
  const token = await finish();
  if (token === undefined) offer('Not signed in');
  else await show(token);
} catch (error) {
  offer(error.message);
}
