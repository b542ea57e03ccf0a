import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whileStarting } from './claimed-port.ts'

test('while a program starts, probes and programs are told so, and a browser shows a page that goes on by itself', () => {
  const ask = (path: string, accept = '*/*', method = 'GET') => {
    const { status, headers, body } = whileStarting({ method, path, headers: { accept } })
    return { status, type: headers['content-type'], body }
  }
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  assert.equal(ask('/livez', browser).status, 200)
  assert.equal(JSON.parse(ask('/readyz', browser).body).status, 'starting')
  for (const { status, type, body } of [ask('/api/app/list_signals'), ask('/app', browser, 'POST')]) {
    assert.deepEqual([status, type], [503, 'application/problem+json'])
    assert.match(body, /Repeat the request/)
  }
  const page = ask('/app/triage', browser)
  assert.deepEqual([page.status, page.type], [503, 'text/html; charset=utf-8'])
  assert.match(page.body, /http-equiv="refresh"/)
})
