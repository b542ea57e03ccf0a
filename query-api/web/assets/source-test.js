import { call, element } from './api.js'

/** The request as it goes over the wire, for a person to compare their own with. */
const written = (url, headers, body) =>
  [
    `POST ${new URL(url).pathname}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\n')

const block = (label, text) => [
  element('p', { class: 'quiet' }, label),
  element('pre', { class: 'block', 'data-label': label }, text),
]

/** Sends from this page, as any sender would: through whatever stands in front of the service. */
const send = async ({ url, headers, body }) => {
  const response = await fetch(new URL(url).pathname, {
    method: 'POST',
    headers,
    body,
    credentials: 'omit',
    redirect: 'error',
  })
  return { status: response.status, body: await response.text() }
}

/** Only a hash of a metric's secret is stored, so the person at the page fills it in; it goes to the endpoint alone. */
const filledIn = (request, { secret, value }) => ({
  url: request.url,
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, content]) => [name, content.replace('{secret}', secret)]),
  ),
  body: JSON.stringify({ value: Number(value) }),
})

const OUTCOME = status => (status < 300 ? 'Accepted' : 'Refused')

const metricFields = () => [
  element(
    'label',
    {},
    'Secret',
    element('input', { name: 'secret', required: '', autocomplete: 'off', pattern: '[0-9a-f]{64}' }),
  ),
  element(
    'label',
    {},
    'Value, kept as a point of now',
    element('input', { name: 'value', type: 'number', step: 'any', value: '1', required: '' }),
  ),
]

const run = async (source, fields, result) => {
  const signed = await call('sign_test_request', { id: source.id })
  const request = signed.lacks_secret ? filledIn(signed, fields) : signed
  const answer = await send(request)
  result.replaceChildren(
    element('p', { class: answer.status < 300 ? 'good' : 'error' }, `${OUTCOME(answer.status)}: ${answer.status}`),
    ...block('What was sent', written(request.url, request.headers, request.body)),
    ...block('What was answered', answer.body),
  )
}

const mailLink = ({ address }) =>
  element(
    'p',
    {},
    element('a', { href: `mailto:${address}?subject=${encodeURIComponent('A first mail')}` }, 'Send a test mail'),
  )

/** “Send a test”: what a right request looks like, and what the endpoint answers to it. */
export const testPanel = source => {
  if (source.kind === 'email') return source.address ? [mailLink(source)] : []
  const result = element('div', { 'aria-live': 'polite' })
  const button = element('button', { type: 'submit' }, 'Send a test')
  const form = element(
    'form',
    { class: 'test', 'aria-label': `Test ${source.name}` },
    ...(source.kind === 'metric' ? metricFields() : []),
    button,
  )
  form.addEventListener('submit', async event => {
    event.preventDefault()
    button.disabled = true
    await run(source, Object.fromEntries(new FormData(form)), result).catch(error =>
      result.replaceChildren(element('p', { class: 'error' }, `The test could not be sent: ${error.message}`)),
    )
    button.disabled = false
  })
  return [form, result]
}
