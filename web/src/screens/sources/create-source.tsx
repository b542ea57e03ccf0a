import { Anchor, Collapse, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import type { CodeHost, SourceKind } from '../../../../schemas/domain/vocabulary.ts'
import { MAPPED_FIELDS, type MappedField } from '../../../../schemas/transfers/reading.ts'
import { type Input, useChange, useOperation } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import { HOST_CHOICES, hostNamed, kindChoices, kindNamed, kindOf } from './kinds.ts'
import type { Revealed } from './revealed-source.tsx'
import { SendersSecret } from './senders-secret.tsx'

/** What a person filled in, those fields too that the chosen kind has no use for. */
interface Filled {
  /** Null: nothing was chosen yet, so that the first one that can be created is meant. */
  readonly kind: SourceKind | null
  readonly name: string
  readonly code_host: CodeHost
  readonly mapping: Mapping
  /** Empty: the service makes one. */
  readonly secret: string
}

/** What `create_source` takes of it: the fields of another kind stay out, and so do empty ones. */
const wantedSource = (kind: SourceKind, { name, code_host, mapping, secret }: Filled): Input<'create_source'> => {
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

const EMPTY: Filled = { kind: null, name: '', code_host: 'github', mapping: {}, secret: '' }

interface Props {
  readonly opened: boolean
  /** The kinds that the workspace has sources of. */
  readonly existing: ReadonlySet<SourceKind>
  readonly onClose: () => void
  readonly onCreated: (revealed: Revealed) => void
}

export const CreateSource = ({ opened, existing, onClose, onCreated }: Props) => {
  const [filled, setFilled] = useState(EMPTY)
  const fill = (changed: Partial<Filled>) => setFilled({ ...filled, ...changed })
  const creating = useChange('create_source', {
    invalidates: ['list_sources', 'orient_snapshot'],
    onSuccess: source => {
      onCreated({ title: t('Source created'), source })
      setFilled(EMPTY)
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
      failed={t('The source was not created')}
      missing={filled.name.trim() === '' ? t('a name') : null}
      onSubmit={() => creating.mutate(wantedSource(kind, filled))}
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
      <TextInput
        label={t('Name')}
        placeholder={exampleName}
        maxLength={MAX_CHARACTERS.name}
        value={filled.name}
        onChange={event => fill({ name: event.currentTarget.value })}
      />
      {kind === 'connection' && <SendersSecret value={filled.secret} onChange={secret => fill({ secret })} />}
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
