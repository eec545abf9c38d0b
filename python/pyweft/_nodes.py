# SPDX-License-Identifier: MIT
"""Nodes of graphs that are built by calls; what the generated methods need of them."""


def add(number, inputs, values):
    from ._graph import Node

    return Node(number, inputs, values)
