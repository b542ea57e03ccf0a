import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { HOST_CHOICES, hostNamed, KIND_CHOICES, kindNamed, kindOf } from './kinds.ts'
import { MappingFields } from './mapping-fields.tsx'
import type { Revealed } from './revealed-source.tsx'
import { type Filled, wantedSource } from './wanted-source.ts'

const MAX_CHARACTERS = 120
const EMPTY: Filled = { kind: 'signal', name: '', code_host: 'github', mapping: {} }

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onCreated: (revealed: Revealed) => void
}

export const CreateSource = ({ opened, onClose, onCreated }: Props) => {
  const [filled, setFilled] = useState(EMPTY)
  const fill = (changed: Partial<Filled>) => setFilled({ ...filled, ...changed })
  const creating = useChange('create_source', {
    invalidates: ['list_sources', 'orient_snapshot'],
    onSuccess: source => {
      onCreated({ title: 'Source created', source })
      setFilled(EMPTY)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate(wantedSource(filled))
  }
  const close = () => {
    creating.reset()
    onClose()
  }
  const { about, exampleName, fields } = kindOf({ kind: filled.kind })
  return (
    <Modal opened={opened} onClose={close} title="Create a source" size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Select
            label="Kind"
            data={KIND_CHOICES}
            value={filled.kind}
            onChange={kind => fill({ kind: kindNamed(kind) })}
            allowDeselect={false}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            {about}
          </Text>
          {fields.includes('code_host') && (
            <Select
              label="Host"
              data={HOST_CHOICES}
              value={filled.code_host}
              onChange={host => fill({ code_host: hostNamed(host) })}
              allowDeselect={false}
            />
          )}
          <TextInput
            label="Name"
            placeholder={exampleName}
            required
            withAsterisk={false}
            maxLength={MAX_CHARACTERS}
            value={filled.name}
            onChange={event => fill({ name: event.currentTarget.value })}
          />
          {fields.includes('mapping') && (
            <MappingFields mapping={filled.mapping} onChange={mapping => fill({ mapping })} />
          )}
          {creating.error !== null && <ErrorState error={creating.error} title="The source was not created" />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create source
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
