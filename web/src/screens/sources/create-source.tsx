import { Anchor, Collapse, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import type { CodeHost, SourceKind } from '../../../../schemas/domain/vocabulary.ts'
import { MAPPED_FIELDS, type MappedField } from '../../../../schemas/transfers/columns.ts'
import { type Input, useChange, useOperation } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { HOST_CHOICES, hostNamed, kindChoices, kindNamed, kindOf } from './kinds.ts'
import type { Revealed } from './revealed-source.tsx'
import { SendersSecret } from './senders-secret.tsx'

/** What a person filled in, those fields too that the chosen kind has no use for. */
interface Filled extends FormValues {
  /** Null: nothing was chosen yet, so that the first one that can be created is meant. */
  readonly kind: SourceKind | null
  readonly name: string
  readonly code_host: CodeHost
  readonly mapping: Mapping
}

/** What `create_source` takes of it: the fields of another kind stay out, and so do empty ones. */
const wantedSource = (
  kind: SourceKind,
  { name, code_host, mapping }: Filled,
  secret: string,
): Input<'create_source'> => {
  const { text, ...others } = mapping
  const { fields } = kindOf({ kind })
  const filled = Object.fromEntries(Object.entries(others).filter(([, pointer]) => pointer !== ''))
  return {
    kind,
    name,
    ...(fields.includes('code_host') && { code_host }),
    ...(kind === 'connection' && secret.trim() !== '' && { secret: secret.trim() }),
    ...(fields.includes('mapping') &&
      text !== undefined &&
      text !== '' && { settings: { mapping: { text, ...filled } } }),
  }
}

const EMPTY: Filled = { kind: null, name: '', code_host: 'github', mapping: {} }

interface Props {
  readonly opened: boolean
  /** The kinds that the workspace has sources of. */
  readonly existing: ReadonlySet<SourceKind>
  readonly onClose: () => void
  readonly onCreated: (revealed: Revealed) => void
}

export const CreateSource = ({ opened, existing, onClose, onCreated }: Props) => {
  const form = useNewForm<Filled>('new source', EMPTY)
  const { values: filled, write: fill } = form
  /** Empty: the service makes one. A secret is not kept with what is written. */
  const [secret, setSecret] = useState('')
  const creating = useChange('create_source', {
    draft: form.name,
    invalidates: ['list_sources', 'orient_snapshot'],
    onSuccess: source => {
      const isLost = source.url !== null && source.secret === null && secret.trim() === ''
      onCreated({ title: t('Source created'), source, isLost })
      setSecret('')
    },
  })
  const mail = useOperation('find_source_kind', { query: 'email' }, { enabled: opened }).data?.items
  const choices = kindChoices(existing, mail?.some(({ kind, available }) => kind === 'email' && !available) !== true)
  const kind = filled.kind ?? choices.find(({ disabled }) => !disabled)?.value ?? 'signal'
  const { about, exampleName, fields } = kindOf({ kind })
  return (
    <ChangeDialog
      opened={opened}
      size="lg"
      title={t('Create a source')}
      action={t('Create source')}
      change={creating}
      form={form}
      failed={t('The source was not created')}
      missing={filled.name.trim() === '' ? t('a name') : null}
      onSubmit={() => creating.mutate(wantedSource(kind, filled, secret))}
      onClose={onClose}
    >
      <Select
        label={t('Kind')}
        data={choices}
        value={kind}
        onChange={chosen => fill({ kind: kindNamed(chosen) })}
        allowDeselect={false}
        data-autofocus
      />
      <Text size="sm" c="dimmed">
        {about}
      </Text>
      {fields.includes('code_host') && (
        <Select
          label={t('Host')}
          data={HOST_CHOICES}
          value={filled.code_host}
          onChange={host => fill({ code_host: hostNamed(host) })}
          allowDeselect={false}
        />
      )}
      <LimitedInput
        label={t('Name')}
        placeholder={exampleName}
        most={MAX_CHARACTERS.name}
        value={filled.name}
        onChange={event => fill({ name: event.currentTarget.value })}
      />
      {kind === 'connection' && <SendersSecret value={secret} onChange={setSecret} />}
      {fields.includes('mapping') && <MappingFields mapping={filled.mapping} onChange={mapping => fill({ mapping })} />}
    </ChangeDialog>
  )
}

type Mapping = Readonly<Partial<Record<MappedField, string>>>

interface MappingFieldsProps {
  readonly mapping: Mapping
  readonly onChange: (mapping: Mapping) => void
}

/** Where a signal’s fields are in what a connection’s sender sends. */
const MappingFields = ({ mapping, onChange }: MappingFieldsProps) => {
  const [opened, { toggle }] = useDisclosure(Object.keys(mapping).length > 0)
  return (
    <div>
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened}>
        {t('Where a signal’s fields are in what it sends')}
      </Anchor>
      <Collapse expanded={opened}>
        <Text size="xs" c="dimmed" my="sm">
          {rich(
            'JSON pointers into the whole body, such as /data/message/text. Left empty, {code} is a signal itself.',
            { code: <code>data</code> },
          )}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {MAPPED_FIELDS.map(field => (
            <TextInput
              key={field}
              size="xs"
              label={word(field)}
              placeholder={`/data/${field}`}
              pattern="/.*"
              title={t('A JSON pointer begins with /.')}
              value={mapping[field] ?? ''}
              onChange={event => onChange({ ...mapping, [field]: event.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
      </Collapse>
    </div>
  )
}
