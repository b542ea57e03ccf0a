import type { ConfigOf } from '../infra/runtime/config.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { text } from '../infra/runtime/settings.ts'
import { createProvisioningKey } from '../model/keys/provisioning-key.ts'
import { OPERATOR_CONFIG, openOperatorDatabase } from './operator-database.ts'

/** What `assay provisioning-key` alone can be set to. */
export const PROVISIONING_KEY_SETTINGS = {
  keyOwner: text({
    env: 'KEY_OWNER',
    doc: 'The e-mail address of the administrator that the key acts as: they own the workspaces that the key makes, and it works while they are one. `--owner` is the same.',
  }),
  keyLabel: text({
    env: 'KEY_LABEL',
    doc: 'What the owner will know the key by. `--label` is the same.',
    default: 'Provisioning',
  }),
}

export const PROVISIONING_KEY_CONFIG = { ...OPERATOR_CONFIG, ...PROVISIONING_KEY_SETTINGS }

/** Prints a new key that makes and lists workspaces for a person, and does nothing else. It is shown this once. */
export const runProvisioningKey = (config: ConfigOf<typeof PROVISIONING_KEY_CONFIG>): Promise<void> =>
  runProgram({ name: 'provisioning-key', logLevel: 'silent' }, async program => {
    const database = await openOperatorDatabase(config, program)
    const key = await createProvisioningKey(database, { email: config.keyOwner, label: config.keyLabel })
    process.stdout.write(`${key}\n`)
    await program.lifecycle.stop()
  })
