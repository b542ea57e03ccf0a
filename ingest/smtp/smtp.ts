import type { Listening } from '../../infra/runtime/listen.ts'
import type { IngestSettings } from '../config.ts'
import type { ListenerPorts } from './listener.ts'
import { smtpSettings } from './settings.ts'

export interface SmtpPorts extends ListenerPorts {
  readonly settings: IngestSettings
}

/** Starts the SMTP listener; null when none is configured. Rejects with `invalid_configuration`, or `unavailable` when the port is taken. */
export const startSmtp = async ({ settings, ...ports }: SmtpPorts): Promise<Listening | null> => {
  const wanted = await smtpSettings(settings)
  if (wanted === null) return null
  // An edge without a listener does not pay for one.
  const { listen } = await import('./listener.ts')
  return listen(wanted, ports)
}
