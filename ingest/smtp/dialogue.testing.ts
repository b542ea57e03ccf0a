import { connect, type Socket } from 'node:net'
import { eventually } from '../../infra/runtime/testing.ts'

/** A client that says exactly these bytes. */
export const openDialogue = async (port: number | null) => {
  const socket: Socket = connect(port ?? 0, '127.0.0.1')
  let heard = ''
  socket.setEncoding('utf8').on('data', text => {
    heard += text
  })
  socket.on('error', () => {})
  const dialogue = {
    socket,
    heard: () => heard,
    say: (text: string) => void socket.write(text.replaceAll('\n', '\r\n')),
    hears: (what: RegExp) => eventually(`the client hears ${what}`, async () => what.test(heard)),
  }
  await dialogue.hears(/^220 /)
  return dialogue
}
