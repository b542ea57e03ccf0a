import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FromAttacker, ToAttacker } from './attacker.ts'

export interface Attack {
  fire(): void
  /** Ends it; answers how often each source got each answer. */
  stop(): Promise<string>
}

/** Makes the hostile tenant with its sources and bodies, ready to fire. */
export const armAttack = async (baseUrl: string, connections: number): Promise<Attack> => {
  const attacker = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)))
  const tell = (message: ToAttacker) => void attacker.send(message)
  const answer = async (): Promise<FromAttacker> => {
    const [message] = await Promise.race([
      once(attacker, 'message'),
      once(attacker, 'exit').then(([code]) => Promise.reject(new Error(`The attacker ended with ${code}.`))),
    ])
    return message
  }
  tell({ arm: baseUrl, connections })
  await answer()
  return {
    fire: () => tell('fire'),
    stop: async () => {
      tell('stop')
      const message = await answer()
      return message.is === 'stopped' ? message.said : ''
    },
  }
}
