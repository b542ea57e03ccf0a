import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './reviews.module.css'

interface Props {
  readonly title: string
  /** What the whole part comes to, in a sentence. */
  readonly label?: ReactNode
  readonly children?: ReactNode
}

/** A part of a review under its heading. */
export const Part = ({ title, label, children }: Props) => (
  <section className={classes.part}>
    <Group gap="md" align="baseline" mb="sm">
      <Title order={2}>{title}</Title>
      {label !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {label}
        </Text>
      )}
    </Group>
    {children}
  </section>
)
