package study

func Growth(what string, cells []At) Estimate { return growth(what, cells, nil, true) }

func GrowthAbove(what string, a, b []At) Estimate { return growthAbove(what, a, b, true) }
