import { Checkbox, Input, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Input as Fields, useOperation, useWrite } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { ChangeDialog } from '../../parts/change-dialog.tsx'
import { undoChange } from '../../parts/evidence/undo.ts'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { notifyUndoable } from '../../shell/notify.tsx'
import { MAP_READS } from './use-map-changes.ts'

/** As many as one call takes. */
const MAX_NODES = 50
const THEMES = 30

interface Written extends FormValues {
  readonly list: string
  readonly chosen: readonly { readonly theme_id: string; readonly name: string }[]
}

interface Props {
  /** Chooses the node that they go below. */
  readonly parent: ReactNode
  readonly parentId: string | null
  readonly onClose: () => void
}

/** The lines of a list that somebody pasted: its marks and numbers are no part of a name. */
const namesIn = (list: string): readonly string[] => [
  ...new Set(
    list
      .split('\n')
      .map(line => line.replace(/^\s*(?:[-*•]|\d{1,4}[.)])\s/u, '').trim())
      .filter(name => name !== ''),
  ),
]

/** Several parts of the product at once: a pasted list, and themes, whose signals go to their nodes. */
export const AddNodes = ({ parent, parentId, onClose }: Props) => {
  const form = useNewForm<Written>('new nodes', { list: '', chosen: [] })
  const { list, chosen } = form.values
  const themes = new Map(chosen.map(({ theme_id, name }) => [theme_id, name]))
  const found = useOperation('list_themes', { limit: THEMES })
  const queries = useQueryClient()
  const adding = useWrite(
    (fields: Fields<'add_map_nodes'>, once) => once('add_map_nodes', fields, { draft: form.name }),
    {
      invalidates: MAP_READS,
      onSuccess: answer =>
        notifyUndoable(said(answer.data), async () => {
          await undoChange(answer)
          await queries.invalidateQueries()
        }),
    },
  )
  const nodes = [...namesIn(list).map(name => ({ name })), ...chosen]
  const toggle = (theme_id: string, name: string) =>
    form.write({
      chosen: themes.has(theme_id) ? chosen.filter(one => one.theme_id !== theme_id) : [...chosen, { theme_id, name }],
    })
  return (
    <ChangeDialog
      opened
      title={t('Add several nodes')}
      action={nodes.length === 0 ? t('Add nodes') : t('Add {nodes}', { nodes: counted(nodes.length, 'node') })}
      change={adding}
      form={form}
      missing={missingOf(nodes.length)}
      onSubmit={() => adding.mutate({ nodes, parent_id: parentId })}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label={t('Names')}
        description={t('One name per line. You can paste a list.')}
        autosize
        minRows={4}
        maxRows={12}
        value={list}
        onChange={event => form.write({ list: event.currentTarget.value })}
      />
      {parent}
      {found.data !== undefined && found.data.items.length > 0 && (
        <Input.Wrapper
          component="fieldset"
          label={t('From themes')}
          labelElement="div"
          description={t('The signals that surely belong to a theme go to its node.')}
          bd={0}
          p={0}
          m={0}
        >
          <Stack gap="xs" mt="xs" mah={260} style={{ overflowY: 'auto' }}>
            {found.data.items.map(({ reference, name, signals }) => (
              <Checkbox
                key={reference}
                size="xs"
                label={
                  <>
                    <bdi>{name}</bdi>{' '}
                    <Text span size="xs" c="dimmed">
                      {counted(signals, 'signal')}
                    </Text>
                  </>
                }
                checked={themes.has(reference)}
                onChange={() => toggle(reference, name)}
              />
            ))}
          </Stack>
        </Input.Wrapper>
      )}
    </ChangeDialog>
  )
}

const missingOf = (nodes: number): string | null => {
  if (nodes === 0) return t('a name or a theme')
  return nodes > MAX_NODES ? t('at most {most} at once', { most: MAX_NODES }) : null
}

interface Added {
  readonly added: readonly unknown[]
  readonly there_already: readonly unknown[]
  readonly placed: number
}

/** What came of it, in a sentence or two. */
const said = ({ added, there_already: there, placed }: Added): string =>
  [
    t('On the map now: {nodes}.', { nodes: counted(added.length, 'node') }),
    ...(placed > 0 ? [t('Placed: {signals}.', { signals: counted(placed, 'signal') })] : []),
    ...(there.length > 0 ? [t('There already: {nodes}.', { nodes: counted(there.length, 'node') })] : []),
  ].join(' ')
