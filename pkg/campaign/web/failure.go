package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// failure turns an error of a campaign into an answer: 422 with the fields if what was sent cannot
// be, 409 if it contradicts the record, 507 if there is no room on the disk, 503 if one may try
// again, else 500. The message is that of the error.
func failure(err error) error {
	var answer huma.StatusError
	var wrong problem.Errors
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer):
		return answer
	case errors.Is(err, campaign.ErrInput):
		return huma.NewError(http.StatusUnprocessableEntity, "nothing was taken", details(err)...)
	case errors.As(err, &wrong): // the problem with a newcomer, or without whoever is dropped
		return huma.NewError(http.StatusUnprocessableEntity, "nothing was taken", wrong.Unwrap()...)
	case errors.Is(err, campaign.ErrConflict):
		return huma.NewError(http.StatusConflict, "nothing was taken", details(err)...)
	case errors.Is(err, campaign.ErrFull):
		return huma.NewError(http.StatusInsufficientStorage, err.Error())
	case errors.Is(err, campaign.ErrBusy), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return huma.Error503ServiceUnavailable("this took too long; try again: " + err.Error())
	}
	return huma.Error500InternalServerError(err.Error())
}

// details are what is wrong, one by one, with the place in the body of the request.
func details(err error) []error {
	var all campaign.InputErrors
	if !errors.As(err, &all) {
		return []error{&huma.ErrorDetail{Message: err.Error()}}
	}
	list := make([]error, len(all))
	for i, e := range all {
		list[i] = &huma.ErrorDetail{Location: location(e), Message: message(e)}
	}
	return list
}

// message says what is wrong without what the location says, if there is one.
func message(e *campaign.InputError) string {
	if e.Where == "" {
		return e.Text
	}
	return e.Error()
}

// location is the place in the body of a request that an error is about.
func location(e *campaign.InputError) string {
	field := e.Field
	switch field {
	case "who":
		field = "as"
	case "n":
		field = "count"
	case "candidate":
		field = "arm"
	}
	if e.Row == 0 || strings.HasPrefix(e.Where, sheetName+":") {
		return strings.TrimSuffix("body."+field, ".")
	}
	switch field {
	case "", "ticket", "plate", "arm", "id", "note", "failed", "values", "as":
	default:
		field = "values." + field
	}
	return strings.TrimSuffix(fmt.Sprintf("body.results[%d].%s", e.Row-1, field), ".")
}
