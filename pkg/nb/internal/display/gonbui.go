//go:build !smallcell

package display

import (
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

func send(d *protocol.DisplayData) { gonbui.SendData(d) }

func sync() { gonbui.Sync() }
