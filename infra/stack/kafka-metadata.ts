import { once } from 'node:events'
import { connect } from 'node:net'

const METADATA = 3
const VERSION = 1
const TIMEOUT_MS = 2_000

/** A Metadata request about no topic: api key, version, correlation id, client id (none), an empty array of topics. */
const request = (): Buffer => {
  const bytes = Buffer.alloc(18)
  bytes.writeInt32BE(14, 0)
  bytes.writeInt16BE(METADATA, 4)
  bytes.writeInt16BE(VERSION, 6)
  bytes.writeInt32BE(1, 8)
  bytes.writeInt16BE(-1, 12)
  bytes.writeInt32BE(0, 14)
  return bytes
}

/**
 * How many brokers a broker knows, itself among them once it serves clients. Asked in Kafka's protocol
 * (https://kafka.apache.org/protocol#The_Messages_Metadata), since the client library belongs to the log's adapter
 * alone. Rejects while nobody answers.
 */
export const countBrokers = async (host: string, port: number): Promise<number> => {
  const socket = connect({ host, port, timeout: TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(new Error('The broker does not answer.')))
  try {
    await once(socket, 'connect')
    socket.write(request())
    let answer = Buffer.alloc(0)
    for await (const chunk of socket) {
      answer = Buffer.concat([answer, chunk])
      // Size, correlation id, and the length of the array of brokers.
      if (answer.length >= 12) return answer.readInt32BE(8)
    }
    throw new Error('The broker closed the connection.')
  } finally {
    socket.destroy()
  }
}
