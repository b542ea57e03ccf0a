import crypto from 'k6/crypto'
import http from 'k6/http'
import { Counter } from 'k6/metrics'

/**
 * Signed signals of about 1 KB, each of its own phrases, spread over many endpoints so that none meets its limit.
 * TARGETS: a JSON file of {url, secret}. RATE: requests a second (absent: as fast as VUS allow). DURATION, VUS.
 */
// Plain arrays, a copy for each virtual user: k6's SharedArray parses an element anew at each access, which would make the load generator
// the slowest part.
const targets = JSON.parse(open(__ENV.TARGETS))
const phrases = JSON.parse(open(__ENV.PHRASES))
const accepted = new Counter('accepted')
const refused = new Counter('refused')

const vus = Number(__ENV.VUS)
const load =
  __ENV.RATE === undefined
    ? { executor: 'constant-vus', vus }
    : { executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', preAllocatedVUs: vus }

export const options = {
  scenarios: { signals: { ...load, duration: __ENV.DURATION } },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  discardResponseBodies: true,
}

const PHRASES_A_TEXT = 8

const text = () => {
  const chosen = []
  for (let count = 0; count < PHRASES_A_TEXT; count += 1)
    chosen.push(phrases[Math.floor(Math.random() * phrases.length)])
  return chosen.join(' ')
}

let sent = 0

export default function () {
  const target = targets[(__VU * 7919 + sent) % targets.length]
  sent += 1
  const body = JSON.stringify({ text: text(), source: 'bench', signal_origin: 'customer' })
  const response = http.post(target.url, body, {
    headers: {
      'content-type': 'application/json',
      'x-service-signature': `sha256=${crypto.hmac('sha256', target.secret, body, 'hex')}`,
    },
  })
  if (response.status === 200) accepted.add(1)
  else refused.add(1, { status: String(response.status) })
}
