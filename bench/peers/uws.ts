import type { HttpResponse } from 'uWebSockets.js'
import { loadServer } from '../../infra/uws/load-server.ts'
import { isSigned, loadEndpoints } from './checks.ts'

/** The least that a webhook can be: read the body, check its signature, answer 200. Nothing is kept. */
const [targetsFile = ''] = process.argv.slice(2)
const endpoints = loadEndpoints(targetsFile)
const { App, us_socket_local_port } = await loadServer()

const readBody = (res: HttpResponse, done: (body: Buffer) => void): void => {
  const chunks: Buffer[] = []
  res.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) done(Buffer.concat(chunks))
  })
}

App()
  .post('/api/webhooks/custom/:id', (res, req) => {
    const secret = endpoints.get(req.getParameter(0) ?? '')
    const signature = req.getHeader('x-service-signature')
    res.onAborted(() => {})
    readBody(res, body => {
      const isRight = secret !== undefined && isSigned(body, signature, secret)
      res.cork(() => res.writeStatus(isRight ? '200 OK' : '401 Unauthorized').end('{"ok":true}'))
    })
  })
  .get('/cpu', res => {
    res.end(JSON.stringify(process.cpuUsage()))
  })
  .listen('127.0.0.1', 0, socket => {
    if (!socket) throw new Error('The peer cannot listen.')
    console.log(`http://127.0.0.1:${us_socket_local_port(socket)}`)
  })
