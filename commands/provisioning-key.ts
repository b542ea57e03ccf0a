import type { ConfigOf } from '../infra/runtime/config.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { text } from '../infra/runtime/settings.ts'
import { createProvisioningKey } from '../model/keys/provisioning-key.ts'
import { type OPERATOR_CONFIG, openOperatorDatabase } from './operator-database.ts'

export const PROVISIONING_KEY_ARGUMENTS = {
  keyOwner: text({
    env: '--owner <address>',
    formerly: /^KEY_OWNER$/,
    doc: 'The e-mail address of the administrator that the key acts as: they own the workspaces that the key makes, and it works while they are one.',
  }),
  keyLabel: text({
    env: '--label <text>',
    formerly: /^KEY_LABEL$/,
    doc: 'What the owner will know the key by.',
    default: 'Provisioning',
  }),
}

/** Prints a new key that can only create and list workspaces for a person. It is shown once. */
export const runProvisioningKey = (
  config: ConfigOf<typeof OPERATOR_CONFIG & typeof PROVISIONING_KEY_ARGUMENTS>,
): Promise<void> =>
  runProgram({ name: 'provisioning-key', logLevel: 'silent' }, async program => {
    const database = await openOperatorDatabase(config, program)
    const key = await createProvisioningKey(database, { email: config.keyOwner, label: config.keyLabel })
    process.stdout.write(`${key}\n`)
    await program.lifecycle.stop()
  })
