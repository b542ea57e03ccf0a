import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPassphrase } from './backup-config.ts'

const refused = (backupPassphraseFile: string, publicMessage: RegExp) =>
  assert.rejects(readPassphrase({ backupPassphraseFile, backupPassphrase: null }), { publicMessage })

test('a file of a passphrase that is a folder or is not there is refused, each in its words', async () => {
  await refused(tmpdir(), /cannot be used: it is a folder, and no file\. .*name a file\.$/)
  await refused(join(tmpdir(), 'no-such-passphrase'), /there is no such file\. BACKUP_PASSPHRASE_FILE names it\.$/)
})
